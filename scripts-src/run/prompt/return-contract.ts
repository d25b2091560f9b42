/** What every unit is asked to write, once, to its result path (DESIGN.md §4). `resultFile` is absolute. */
export function returnContract(unit: string, resultFile: string): string {
  return `At the end write this file once, in one write, to
${resultFile}
(nothing of yours is there yet). Without it your work counts as failed.

# ${unit} result
Conclusion: <one line>
Files: <files made or changed, or "none (read-only)">
Open items: <blockers or follow-ups, or "none">
Verification: <what was run or checked, or "none">

<body: what you did and why, new files that git ignores, tests and how they ended, evidence, known gaps>`;
}
