import type { Browser } from 'playwright-core';

/** Maximum compressed bytes of a first load, with everything in it. */
export const BUDGETS = { en: 40_000, bn: 110_000 } as const;

export interface PageWeight {
  /** Transferred bytes with headers, without the event stream. */
  readonly bytes: number;
  /** In order. */
  readonly requests: readonly string[];
  /** Milliseconds from the tap on the link until the countdown runs and buttons and form respond. */
  readonly usableMs: number;
  /** Milliseconds until the page is displayed in its own font. */
  readonly completeMs: number;
}

export interface Line {
  readonly kbitPerSecond: number;
  readonly latencyMs: number;
  readonly slowdown: number;
}

/** A cheap phone with a weak 3G connection. */
export const SLOW: Line = { kbitPerSecond: 400, latencyMs: 400, slowdown: 4 };

/** Loads the page once with an empty cache. */
export async function weighPage(browser: Browser, url: string, line?: Line): Promise<PageWeight> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    if (line) {
      const throughput = (line.kbitPerSecond * 1_000) / 8;
      await devtools.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: line.latencyMs,
        downloadThroughput: throughput,
        uploadThroughput: throughput,
      });
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: line.slowdown });
    }
    const requests: string[] = [];
    let bytes = 0;
    devtools.on('Network.requestWillBeSent', ({ request: { url: asked } }) => {
      // The logo is reported as a request, but it is part of the page.
      if (!asked.startsWith('data:')) requests.push(asked);
    });
    devtools.on('Network.loadingFinished', ({ encodedDataLength }) => void (bytes += encodedDataLength));
    await page.goto(url);
    await page.locator('main[data-live=true]').waitFor();
    await page.evaluate('document.fonts.ready');
    const [usableMs, completeMs] = await page.evaluate<[number, number]>(
      // The script is at the end of the page and runs before this event. A font may come later.
      `[performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd,
        Math.max(...performance.getEntries().filter(({ name }) => !name.endsWith('/events')).map((entry) => entry.responseEnd ?? 0))]`,
    );
    return { bytes, requests, usableMs, completeMs: Math.max(usableMs, completeMs) };
  } finally {
    await context.close();
  }
}
