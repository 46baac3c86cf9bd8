const RELOADED = 'dashboard.reloaded-at';
const ONCE_PER_MS = 60_000;
const JUST_NOW_MS = 15_000;

/**
 * Reloads once a tab that is older than the release and requests files that no longer exist. Without a network they do
 * not arrive either: the tab stays as it is and explains it.
 */
export function reloadAfterRelease(): void {
  window.addEventListener('vite:preloadError', () => void reloadOnce());
}

async function reloadOnce(): Promise<void> {
  const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
  if (Date.now() - last < ONCE_PER_MS || !(await isServed())) return;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  window.location.reload();
}

/** Whether the server sends this page. If not, a reload would replace it by an error page of the browser. */
export async function isServed(): Promise<boolean> {
  try {
    return (await fetch(window.location.href, { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

/** Whether this page was just loaded again because the tab was older than the release. */
export function isAfterRelease(): boolean {
  return Date.now() - Number(sessionStorage.getItem(RELOADED) ?? 0) < JUST_NOW_MS;
}
