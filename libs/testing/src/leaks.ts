import { eventually } from './eventually';

/** What keeps a process alive after its work is done, when nobody closed it. */
const WATCHED = new Set(['TCPSocketWrap', 'TCPServerWrap', 'ProcessWrap', 'Timeout']);

/**
 * Makes a spec file fail when it leaves sockets, servers, child processes or timers open. Call it at the top of the
 * file: it compares what is open after the last test with what was open before the first.
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
