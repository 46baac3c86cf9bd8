import type { Browser } from 'playwright-core';

/** The most that a first load may weigh, compressed and with everything in it, in bytes. */
export const BUDGETS = { en: 40_000, bn: 110_000 } as const;

export interface PageWeight {
  /** Bytes over the line, headers included, without the event stream. */
  readonly bytes: number;
  /** All requested URLs in order. */
  readonly requests: readonly string[];
  /** From the tap on the link until the countdown runs and buttons and form answer, ms. */
  readonly usableMs: number;
  /** Time until the page is displayed in its own font, in ms. */
  readonly completeMs: number;
}

export interface Line {
  readonly kbitPerSecond: number;
  readonly latencyMs: number;
  readonly slowdown: number;
}

/** A cheap phone at the edge of a village's 3G. */
export const SLOW: Line = { kbitPerSecond: 400, latencyMs: 400, slowdown: 4 };

/** Loads a page once, as a phone does that has never been there. */
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
      // The browser reports the logo in the page, too; its bytes are those of the page.
      if (!asked.startsWith('data:')) requests.push(asked);
    });
    devtools.on('Network.loadingFinished', ({ encodedDataLength }) => void (bytes += encodedDataLength));
    await page.goto(url);
    await page.locator('main[data-live=true]').waitFor();
    await page.evaluate('document.fonts.ready');
    const [usableMs, completeMs] = await page.evaluate<[number, number]>(
      // The script is the last thing in the page and runs before this event; a font may come later.
      `[performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd,
        Math.max(...performance.getEntries().filter(({ name }) => !name.endsWith('/events')).map((entry) => entry.responseEnd ?? 0))]`,
    );
    return { bytes, requests, usableMs, completeMs: Math.max(usableMs, completeMs) };
  } finally {
    await context.close();
  }
}
