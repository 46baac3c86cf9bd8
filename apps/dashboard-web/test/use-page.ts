import { setImmediate as turn } from 'node:timers/promises';
import type { Drawn } from './interaction';
import type { OpenPage } from './open-page';

/**
 * Clicks every control of a page, fills in and submits its forms, and the same in every dialog that a control opens.
 */
export async function usePage(page: OpenPage): Promise<void> {
  await page.draw();
  const opened = page.drawn();
  const known = new Set(opened.controls.map(({ name }) => name));
  await submit(page);
  for (const control of once(opened)) {
    page.reset();
    if (!(await opensDialog(page, control.click))) continue;
    const inDialog = once(page.drawn()).filter(({ name }) => !known.has(name));
    await submit(page);
    for (const inside of inDialog) if (await opensDialog(page, inside.click)) await submit(page);
  }
}

/** A list repeats the controls of its rows. */
function once({ controls }: Drawn): Drawn['controls'] {
  return [...new Map(controls.map((control) => [control.name, control])).values()];
}

async function opensDialog(page: OpenPage, click: () => unknown): Promise<boolean> {
  if (!(await act(page, click))) return false;
  await page.draw();
  return page.drawn().hasDialog;
}

/** Fills in and submits the forms of the last drawing. A value can add fields to its form, which are filled in, too. */
async function submit(page: OpenPage): Promise<void> {
  if (page.drawn().forms.length === 0) return;
  const filled = new Set<string>();
  for (let added = page.drawn().fields; added.length > 0;) {
    for (const { label, enter } of added) {
      filled.add(label);
      await act(page, () => enter());
    }
    await page.draw();
    added = page.drawn().fields.filter(({ label }) => !filled.has(label));
  }
  for (const form of page.drawn().forms) await act(page, form);
}

/** Whether the page has changed. What needs a browser, such as a download, ends in an error after its request. */
export async function act(page: OpenPage, action: () => unknown): Promise<boolean> {
  const before = page.changes();
  try {
    action();
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
  }
  for (let turns = 0; turns < 3; turns += 1) await turn();
  return page.changes() !== before;
}
