const RELOADED = 'dashboard.reloaded-at';
const ONCE_PER_MS = 60_000;
const JUST_NOW_MS = 15_000;

/**
 * A tab that is older than the release requests files that no longer exist. It is reloaded once, and the server sends
 * the new page.
 */
export function reloadAfterRelease(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
    if (Date.now() - last < ONCE_PER_MS) return;
    event.preventDefault();
    sessionStorage.setItem(RELOADED, String(Date.now()));
    window.location.reload();
  });
}

/** Whether this page was just loaded again because the tab was older than the release. */
export function isAfterRelease(): boolean {
  return Date.now() - Number(sessionStorage.getItem(RELOADED) ?? 0) < JUST_NOW_MS;
}
