/**
 * `npm run page-weight`: prints the size of the checkout page and the time until it is usable. Usage: page-weight.js
 * <run directory>
 */
import { CheckoutStories } from './checkout-stories';
import { openBrowser } from './open-browser';
import { BUDGETS, SLOW, weighPage } from './weigh-page';
import { readSystem, type Merchant } from '../system';

const TARGET_MS = 3_000;

async function main(): Promise<number> {
  const [runDirectory = '.run'] = process.argv.slice(2);
  const system = readSystem(runDirectory);
  const browser = await openBrowser();
  const stories = new CheckoutStories(system, browser, system.merchants[0] as Merchant);
  let isGood = true;
  try {
    console.log(
      `first load at ${SLOW.kbitPerSecond} kbit/s, ${SLOW.latencyMs} ms latency, ${SLOW.slowdown}x slower processor`,
    );
    for (const language of ['en', 'bn'] as const) {
      const intent = await stories.intent();
      const { bytes, requests, usableMs, completeMs } = await weighPage(
        browser,
        stories.address(intent, `?language=${language}`),
        SLOW,
      );
      console.log(
        `  ${language}: ${kilobytes(bytes)} of ${kilobytes(BUDGETS[language])} in ${requests.length - 1} requests and the event stream; ` +
          `usable after ${seconds(usableMs)} (target ${seconds(TARGET_MS)}), complete after ${seconds(completeMs)}`,
      );
      isGood &&= bytes <= BUDGETS[language] && usableMs <= TARGET_MS;
    }
  } finally {
    await stories.api.close();
    await browser.close();
  }
  return isGood ? 0 : 1;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} KB`;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`;
}

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);
