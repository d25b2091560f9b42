import { defineConfig } from 'vitest/config';

/** The whole torture: `npm run torture`. A sample of it runs with `npm test`. */
export default defineConfig({
  test: {
    include: ['test/torture/whole/**/*.test.ts'],
    // A build that somebody made elsewhere is tortured as it is.
    globalSetup: process.env.PRUN_TORTURE_SCRIPTS ? [] : ['test/helpers/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 4,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    reporters: ['default'],
  },
});
