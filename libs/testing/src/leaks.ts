import { eventually } from './eventually';

/** Kinds of resources that keep a process alive if they are not closed. */
const WATCHED = new Set(['TCPSocketWrap', 'TCPServerWrap', 'ProcessWrap', 'Timeout']);

/**
 * Fails a spec file that leaves sockets, servers, child processes or timers open. Call it at the top of the file,
 * because it compares open resources before the first and after the last test.
 */
export function failOnLeaks(): void {
  let before: Map<string, number>;
  beforeAll(() => {
    before = openResources();
  });
  afterAll(async () => {
    await eventually(() => leaked(before).length === 0, 'everything that the spec opened is closed again', {
      timeoutMs: 10_000,
    }).catch((error: unknown) => {
      throw new Error(`Left open: ${leaked(before).join(', ')}`, { cause: error });
    });
  });
}

function leaked(before: ReadonlyMap<string, number>): string[] {
  return [...openResources()].flatMap(([kind, count]) => {
    const more = count - (before.get(kind) ?? 0);
    return more > 0 ? [`${more} ${kind}`] : [];
  });
}

function openResources(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) {
    if (WATCHED.has(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}
