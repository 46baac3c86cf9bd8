import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { provideChromium } from '@pay/local-servers';
import { chromium, type Browser } from 'playwright-core';

/** Headless, and calling nobody: neither updates nor reports nor anything in the background. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The browser of a spec file; each story gets a context of its own in it. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = await provideChromium((sentence) => console.log(sentence));
  return chromium.launch({ executablePath, args: FLAGS });
}

/** Where pictures of the page are kept, to be looked at. Example: .run/screenshots/checkout-page/pay-en-320.png */
export function pictureOf(name: string): string {
  const folder = resolve(__dirname, '..', '..', '..', '..', '.run', 'screenshots', 'checkout-page');
  mkdirSync(folder, { recursive: true });
  return join(folder, `${name}.png`);
}
