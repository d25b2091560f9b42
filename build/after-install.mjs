#!/usr/bin/env node
// After npm install: scripts of npm run on the Node that the user has. One test needs a newer Node and gets it from a
// package, by its path; the link that npm makes for that package would put it before the user's own in every script.
import { rmSync } from 'node:fs';

rmSync(new URL('../node_modules/.bin/node', import.meta.url), { force: true });
