#!/usr/bin/env node
// The last words of CI, from the runner's own reports: which tests failed and why, which passed only when they were
// tried again, and the plain line `N passed, M failed`. Exit code 1 when a report is missing or a test failed.
//   node .ci/verdict.mjs REPORT…
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Lines of a failure's message that are shown. */
const MESSAGE_LINES = 25;
const MOST_SHOWN = 20;

const reports = process.argv.slice(2).map(reportIn);
const files = reports.flatMap(({ testResults }) => testResults);
// A file that broke before its first test has no test to count.
const broken = files.filter(
  ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
);
const tests = files.flatMap((file) => file.assertionResults.map((test) => ({ file: file.name, ...test })));
const failed = tests.filter(({ status }) => status === 'failed');
const again = tests.filter(
  ({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0,
);

for (const { name, message } of broken.slice(0, MOST_SHOWN)) show('BROKEN', name, '', message);
for (const { file, fullName, failureMessages } of failed.slice(0, MOST_SHOWN)) {
  show('FAILED', file, fullName, failureMessages.at(-1) ?? '');
}
for (const { file, fullName, failureMessages } of again.slice(0, MOST_SHOWN)) {
  show('PASSED ONLY WHEN TRIED AGAIN', file, fullName, failureMessages[0] ?? '');
}
const passed = reports.reduce((sum, { numPassedTests }) => sum + numPassedTests, 0);
const bad = reports.reduce((sum, { numFailedTests }) => sum + numFailedTests, 0) + broken.length;
console.log(`${passed} passed, ${bad} failed`);
if (bad > 0) process.exitCode = 1;

function reportIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    console.log(`BROKEN ${file}: no report was written (${error.message})`);
    return { numPassedTests: 0, numFailedTests: 1, testResults: [] };
  }
}

function show(what, file, name, message) {
  console.log(`${what} ${path.relative(process.cwd(), file)}${name === '' ? '' : `: ${name}`}`);
  for (const line of String(message).split('\n').slice(0, MESSAGE_LINES)) console.log(`    ${line}`);
}
