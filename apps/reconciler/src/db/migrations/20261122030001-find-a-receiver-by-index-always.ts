import type { Migration } from '@pay/persistence';

/** A plan that was made and kept while the table was empty would read all of it for each match ever after. */
export const findReceiverByIndex: Migration = {
  name: '20261122030001-find-a-receiver-by-index-always',
  sql: `alter function copy_receiver_of_match() set enable_seqscan = off;`,
};
