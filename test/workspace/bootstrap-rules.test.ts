import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { bootstrapRuleFor, findSharingRule } from '../../scripts-src/workspace/warm/bootstrap-rules.ts';
import { scratch } from '../helpers/unit-run.ts';

it.each([
  'Do not copy node_modules between worktrees.',
  'Do not copy/share/symlink `node_modules`.',
  'Never reuse node_modules.',
  '**Never** copy, share or symlink the `node_modules` folder of another checkout.',
  "Please don't share your node_modules with other clones!",
  '- node_modules must not be shared',
  '`node_modules/` should never be symlinked or copied across worktrees',
  'node_modules is not shared between worktrees',
  'Sharing `node_modules` across worktrees is forbidden.',
  'Always run `npm ci` in a new worktree.',
  'always run npm ci',
  'Run `npm ci` in every fresh clone.',
  'We work in worktrees, and you must not under any\ncircumstances symlink the node_modules folder there.',
  'Agents cannot reuse node_modules from another worktree.',
  'Avoid symlinking node_modules.',
  'No sharing of node_modules.',
])('%s: forbids', (text) => {
  expect(findSharingRule(text, 'node_modules')).toMatchObject({ line: 1 });
});

it.each([
  'Do not commit node_modules.',
  'Never edit files in node_modules.',
  'Do not copy files into node_modules.',
  'Do not copy code from node_modules.',
  "Don't forget to copy node_modules.",
  'There is no need to copy node_modules.',
  'You do not need to copy node_modules by hand.',
  'Do not run the tests without copying node_modules first.',
  'Copy node_modules from the main checkout.',
  'Share node_modules between worktrees to save disk space.',
  'Never push. Copy node_modules from the main checkout.',
  'Do not push; symlink node_modules instead.',
  'Run `npm ci` first.',
  'Run npm ci before every release.',
  'node_modules is not checked in.',
  'Do not share the venv.',
  'Do not copy the dist folder, but copy node_modules.',
  'Never link against my_node_modules_helper.',
  '# node_modules\n\nNever copy secrets.',
])('%s: forbids nothing', (text) => {
  expect(findSharingRule(text, 'node_modules')).toBeUndefined();
});

it.each([
  ['Never copy a virtualenv to another clone.', '.venv'],
  ['The virtual environment must not be shared.', 'venv'],
  ['Do not symlink vendor.', 'vendor'],
])('%s: forbids for %s', (text, target) => {
  expect(findSharingRule(text, target)).toBeDefined();
  expect(findSharingRule(text, 'node_modules')).toBeUndefined();
});

it('names file and line, from the root down to the package', () => {
  const repo = scratch();
  mkdirSync(path.join(repo, 'packages/web'), { recursive: true });
  writeFileSync(path.join(repo, 'README.md'), '# Web\n\nHello.\n');
  writeFileSync(
    path.join(repo, 'packages/web/agents.md'),
    'Rules:\n\n1. Be kind.\n2. Never copy node_modules.\n',
  );
  expect(bootstrapRuleFor(repo, 'node_modules')).toBeUndefined();
  expect(bootstrapRuleFor(repo, 'packages/web/node_modules')).toEqual({
    file: 'packages/web/agents.md',
    line: 4,
    sentence: 'Never copy node_modules.',
  });
  mkdirSync(path.join(repo, '.github'));
  writeFileSync(
    path.join(repo, '.github/CONTRIBUTING.md'),
    'x\r\n\r\nnode_modules must\r\nnot be shared.\r\n',
  );
  expect(bootstrapRuleFor(repo, 'node_modules')).toMatchObject({ file: '.github/CONTRIBUTING.md', line: 3 });
});

it('reads a large text in little time', () => {
  const text = `${'Do not copy or share and link, reuse or clone the files of this or that and other '.repeat(5000)}\n`;
  const from = performance.now();
  expect(findSharingRule(text, 'node_modules')).toBeUndefined();
  expect(performance.now() - from).toBeLessThan(5000);
});
