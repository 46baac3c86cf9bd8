import { rows } from '@pay/persistence';

export interface MissingWindow {
  readonly chainId: string;
  readonly from: Date;
  readonly to: Date;
}

/** The windows of open gaps that were requested less than `mostAsks` times; increases their count. */
export const askForMissing = rows<
  MissingWindow,
  [chainIds: readonly string[], limits: { readonly mostAsks: number; readonly mostWindows: number }]
>(
  'ask-for-missing-sms',
  // Newest first, because a customer may be waiting for it. Each returned request is counted.
  `with wanted as (
     select missing.id from unnest($1::uuid[]) as chain (id)
     cross join lateral (
       select id, found_at from missing_sms
       where chain_id = chain.id and status = 'OPEN' and asked < $2 order by found_at desc limit $3
     ) as missing
     order by missing.found_at desc limit $3
   ), locked as (
     select id from missing_sms where id in (select id from wanted) order by id for update
   )
   update missing_sms as missing set asked = asked + 1 from locked where missing.id = locked.id
   returning missing.chain_id as "chainId", missing.missing_from as "from", missing.missing_to as "to"`,
  (chainIds, { mostAsks, mostWindows }) => [[...chainIds].sort(), mostAsks, mostWindows],
);
