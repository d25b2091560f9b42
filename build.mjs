#!/usr/bin/env node
// Builds the product: each entry point becomes one standalone CommonJS script in skills/prun/scripts; SKILL.md, LICENSE
// and the licences of what is in the scripts are put beside them; the version of package.json goes into every file that
// repeats it; and dist/ gets the drop-in folder with its manifest.
//   node build.mjs           build
//   node build.mjs --check   build to memory, exit 1 when the committed files differ or a budget is exceeded
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { licencesText } from './build/licences.mjs';
import { versionedFiles } from './build/versions.mjs';

const root = path.dirname(fileURLToPath(import.meta.url));
const scriptsDir = path.join(root, 'skills/prun/scripts');

/**
 * Size budget of each script in KiB. Size alone costs little start time (200 KB: 1.2 x Node's own start), what is
 * initialised costs; the start budgets are ratios and live in test/bench.
 */
const budgets = {
  'dispatch-task': 480,
  monitor: 250,
  gather: 200,
  'reap-watch': 400,
  prun: 2100,
  'prun-mcp': 1400,
  'resource-run': 130,
  'validate-run': 230,
};

const check = process.argv.includes('--check');
const entries = Object.keys(budgets);

const result = await build({
  absWorkingDir: root,
  entryPoints: entries.map((name) => `scripts-src/${name}.ts`),
  outdir: 'skills/prun/scripts',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  minify: false,
  sourcemap: false,
  legalComments: 'inline',
  charset: 'utf8',
  banner: { js: '#!/usr/bin/env node' },
  logLevel: 'warning',
  // The paths in the scripts' comments are the same where node_modules is a link to another folder.
  preserveSymlinks: true,
  metafile: true,
  write: false,
});

/** @type {Map<string, {text: Uint8Array | string, mode: number}>} path below the root -> content */
const built = new Map();
for (const file of result.outputFiles) {
  built.set(path.relative(root, file.path).split(path.sep).join('/'), { text: file.contents, mode: 0o755 });
}
for (const [file, text] of versionedFiles(root)) built.set(file, { text, mode: 0o644 });
built.set('skills/prun/SKILL.md', { ...built.get('SKILL.md') });
built.set('skills/prun/LICENSE', { text: readFileSync(path.join(root, 'LICENSE')), mode: 0o644 });
built.set('skills/prun/THIRD-PARTY-LICENSES.txt', { text: licencesText(root, result.metafile), mode: 0o644 });

const problems = [];
for (const name of entries) {
  const size = built.get(`skills/prun/scripts/${name}.cjs`).text.length;
  if (size > budgets[name] * 1024) {
    problems.push(`${name}.cjs is ${Math.ceil(size / 1024)} KiB, its budget is ${budgets[name]} KiB`);
  }
}

if (check) {
  for (const [file, { text, mode }] of built) compare(file, text, mode);
  for (const file of readdirSync(scriptsDir)) {
    if (file.endsWith('.cjs') && !built.has(`skills/prun/scripts/${file}`)) {
      problems.push(`skills/prun/scripts/${file} has no source: delete it`);
    }
  }
  compare('dist/manifest.json', manifestText(), 0o644);
} else {
  for (const [file, { text, mode }] of built) {
    const target = path.join(root, file);
    mkdirSync(path.dirname(target), { recursive: true });
    if (!existsSync(target) || !readFileSync(target).equals(Buffer.from(text))) writeFileSync(target, text);
    chmodSync(target, mode);
  }
  const drop = path.join(root, 'dist/prun');
  rmSync(drop, { recursive: true, force: true });
  cpSync(path.join(root, 'skills/prun'), drop, { recursive: true });
  writeFileSync(path.join(root, 'dist/manifest.json'), manifestText());
}

for (const problem of problems) console.error(`build: ${problem}`);
if (problems.length > 0) process.exitCode = 1;
else if (!check) {
  for (const name of entries) {
    const size = statSync(path.join(scriptsDir, `${name}.cjs`)).size;
    console.log(`${name}.cjs ${Math.ceil(size / 1024)} KiB of ${budgets[name]}`);
  }
}

function compare(file, text, mode) {
  const target = path.join(root, file);
  if (!existsSync(target)) {
    problems.push(`${file} is missing: run node build.mjs and commit it`);
    return;
  }
  if (!readFileSync(target).equals(Buffer.from(text))) {
    problems.push(`${file} differs from a fresh build: run node build.mjs and commit it`);
  }
  if (process.platform !== 'win32' && mode & 0o100 && !(statSync(target).mode & 0o100)) {
    problems.push(`${file} is not executable: run node build.mjs and commit it`);
  }
}

/** Files of the drop-in folder with size and SHA-256, in a stable order. */
function manifestText() {
  const files = [];
  const walk = (dir) => {
    for (const entry of readdirSync(path.join(root, dir), { withFileTypes: true })) {
      const file = `${dir}/${entry.name}`;
      if (entry.isDirectory()) walk(file);
      else files.push(file);
    }
  };
  walk('skills/prun');
  for (const file of built.keys()) {
    if (file.startsWith('skills/prun/') && !files.includes(file)) files.push(file);
  }
  const rows = files.sort().map((file) => {
    const bytes = Buffer.from(built.get(file)?.text ?? readFileSync(path.join(root, file)));
    return {
      file: file.slice('skills/prun/'.length),
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    };
  });
  return `${JSON.stringify({ schema: 1, files: rows }, null, 2)}\n`;
}
