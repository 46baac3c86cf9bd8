import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { provideChromium } from '@pay/testing';
import { chromium, type Browser } from 'playwright-core';

/** Headless, without background requests such as updates and reports. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Each test gets its own context. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = await provideChromium((sentence) => console.log(sentence));
  return chromium.launch({ executablePath, args: FLAGS });
}

/** Screenshots for people. Example: .run/screenshots/checkout-page/pay-en-320.png */
export function pictureOf(name: string): string {
  const folder = resolve(__dirname, '..', '..', '..', '..', '.run', 'screenshots', 'checkout-page');
  mkdirSync(folder, { recursive: true });
  return join(folder, `${name}.png`);
}
