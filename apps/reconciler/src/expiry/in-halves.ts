import { mayPartSucceed } from '@pay/persistence';

/**
 * Runs a batch and returns how many items succeeded. A failing batch is halved, so that one item does not stop the
 * others; an item that fails alone is skipped.
 */
export async function inHalves<Item>(
  items: readonly Item[],
  run: (items: readonly Item[]) => Promise<unknown>,
  skip: (item: Item, error: unknown) => void,
): Promise<number> {
  const [first] = items;
  if (first === undefined) return 0;
  try {
    await run(items);
    return items.length;
  } catch (error) {
    if (!mayPartSucceed(error)) throw error;
    if (items.length === 1) {
      skip(first, error);
      return 0;
    }
    const middle = Math.ceil(items.length / 2);
    return (await inHalves(items.slice(0, middle), run, skip)) + (await inHalves(items.slice(middle), run, skip));
  }
}
