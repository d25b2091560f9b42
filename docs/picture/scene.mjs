// What the recording shows: a small project, four units on Codex, one of which hangs at first.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const result = (unit, conclusion, files) =>
  `# ${unit} result\nConclusion: ${conclusion}\nFiles: ${files}\nOpen items: none\nVerification: node --check\n`;

/** What the stand-in lets each worker do: shell commands of its turns, then its last message. */
export const WORK = {
  cart: {
    cmd1: "sleep 2.2; sed -i 's/0.1/rate/; s/sum)/sum, rate)/' src/cart.mjs",
    text1: result('cart', 'the tax rate is a parameter now', 'src/cart.mjs'),
  },
  mail: {
    cmd1: 'sleep 0.5',
    after1: 'hang',
    cmd2: "sleep 1; sed -i 's/text/text.trim()/2' src/mail.mjs",
    text2: result('mail', 'mail texts are trimmed before they are sent', 'src/mail.mjs'),
  },
  docs: {
    cmd1: "sleep 1.2; printf '\\nRun `node src/cart.mjs` to try it.\\n' >> README.md",
    text1: result('docs', 'the README says how to try it', 'README.md'),
  },
  review: {
    cmd1: 'sleep 3',
    text1: result('review', 'prices below zero are not refused (src/cart.mjs:2)', 'none (read-only)'),
  },
};

/** The manifest of the recorded run; the README shows it. */
export const MANIFEST = `repo: ..
units:
  - {id: cart, prompt: Make the tax rate a parameter., owns: [src/cart.mjs]}
  - {id: mail, prompt: Trim what is mailed., owns: [src/mail.mjs]}
  - {id: docs, prompt: Say in the README how to try it., owns: [README.md]}
  - {id: review, prompt: Which inputs break src/?}
`;

/** The commands that are typed, in order. */
export const COMMANDS = [
  'cat agent-io/shop.yaml',
  'prun run agent-io/shop.yaml --run shop',
  'prun attach --run shop',
  'prun resume --run shop --unit mail',
  'prun attach --run shop',
  'prun reconcile --run shop',
  'prun collect --run shop --patch agent-io/',
  'prun conflicts --run shop',
  'prun apply --run shop --to .',
  'git diff --stat',
];

const FILES = {
  'src/cart.mjs': 'export function total(sum) {\n  return sum + sum * 0.1;\n}\n',
  'src/mail.mjs': 'export function mail(text) {\n  return { text: text };\n}\n',
  'README.md': '# Shop\n\nA very small shop.\n',
  'agent-io/shop.yaml': MANIFEST,
};

/** Makes the project, with one commit; agent-io/ is excluded as the coordinator's own. */
export function makeProject(folder, env) {
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  const git = (...args) => execFileSync('git', args, { cwd: folder, env });
  git('init', '--quiet', '--initial-branch=main');
  writeFileSync(path.join(folder, '.git/info/exclude'), '/agent-io/\n');
  git('add', '--all');
  git('-c', 'user.name=You', '-c', 'user.email=you@example.com', 'commit', '--quiet', '-m', 'Shop');
}

/** A bash script that types each command as a person would, and runs it. A command's own exit code is none of its. */
export function sceneScript(commands) {
  const typed = commands.map((command) => `type_and_run ${quoted(command)}`);
  return `type_and_run() {
  printf '\\033[1;32m$\\033[0m '
  for ((at = 0; at < \${#1}; at++)); do printf '%s' "\${1:at:1}"; sleep 0.02; done
  sleep 0.3; printf '\\n'
  eval "$1"
  sleep 1.2
}
export GIT_PAGER=cat
${typed.join('\n')}
printf '\\033[1;32m$\\033[0m '
sleep 2.5
`;
}

function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
