import { defineConfig } from 'vitest/config';

/** Tests that start hundreds of processes: they run after the others, whose times they would spoil. */
const HEAVY = [
  'test/workspace/**/*.test.ts',
  'test/commands/**/*.test.ts',
  'test/run/**/*.test.ts',
  'test/mcp/**/*.test.ts',
  'test/validate/**/*.test.ts',
  'test/host/**/*.test.ts',
  'test/skill-*.test.ts',
  'test/e2e/{run-*,three-ways}.test.ts',
  'test/torture/{run,lease}-*.test.ts',
];
const NOT_HERE = ['test/torture/whole/**', 'node_modules/**'];

export default defineConfig({
  test: {
    globalSetup: ['test/helpers/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 3,
    // A busy machine must not fail a whole CI run; what needed its second try is named at the end (.ci/verdict.mjs).
    retry: process.env.CI ? 1 : 0,
    reporters: process.env.CI
      ? ['default', ['json', { outputFile: process.env.PRUN_TEST_REPORT ?? '.tmp/vitest.json' }]]
      : ['default'],
    projects: [
      {
        extends: true,
        test: {
          name: 'units',
          include: ['test/**/*.test.ts'],
          exclude: [...HEAVY, ...NOT_HERE],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'workspaces',
          include: HEAVY,
          exclude: NOT_HERE,
          testTimeout: 180_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
