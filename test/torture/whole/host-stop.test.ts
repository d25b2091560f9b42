import { describeCases } from '../matrix.ts';
import { TREES } from '../trees.ts';

describeCases(
  "the host's whole stop",
  TREES.flatMap((tree) =>
    (['plain', 'codex'] as const).map((worker) => ({ tree, worker, end: 'host' as const, hasText: false })),
  ),
);
