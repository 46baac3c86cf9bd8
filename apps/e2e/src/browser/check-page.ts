import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Problems that axe-core finds on the current page, one line each. */
export async function findings(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate<string[]>(
    `axe.run(document, { runOnly: ${JSON.stringify(RULES)}, resultTypes: ['violations'] }).then(({ violations }) =>
       violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary)))`,
  );
}

/** Pages must only scroll vertically, because content at a side would be cut off. */
export function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth');
}

/** Links, buttons and fields that are too small for a thumb. WCAG 2.5.8 requires 24 pixels; cheap phones need more. */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(
    `[...document.querySelectorAll('a,button,input:not(.seen-not):not([type=radio]),summary,label')].filter((target) => {
       const { width, height } = target.getBoundingClientRect();
       return width > 0 && target.tagName !== 'LABEL' && (height < 40 || width < 40);
     }).map((target) => target.outerHTML)`,
  );
}

/** Errors of the browser: blocked by the policy, thrown by the script, or not found. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return complaints;
}
