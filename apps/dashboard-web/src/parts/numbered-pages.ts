interface NumberedPage<Item> {
  readonly data: readonly Item[];
  readonly total: number;
  readonly page: number;
  readonly limit: number;
}

/** A page of a list with page numbers, for `useKeysetList`: the number of the next page is its cursor. */
export function asKeysetPage<Item>({ data, total, page, limit }: NumberedPage<Item>) {
  return { data, total, totalIsExact: true, nextCursor: page * limit < total ? String(page + 1) : null };
}
