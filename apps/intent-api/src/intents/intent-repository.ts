import { mapped } from '@pay/persistence';
import { INTENT_COLUMNS, storedIntent } from '../db/intent-row';

export const findIntent = mapped(storedIntent).firstRow<[id: string]>(
  'find-intent',
  `select ${INTENT_COLUMNS} from payment_intents where id = $1`,
);

/** The existing intents among these ids, of any tenant, in any order. */
export const findIntents = mapped(storedIntent).rows<[ids: readonly string[]]>(
  'find-intents',
  `select ${INTENT_COLUMNS} from payment_intents where id = any($1::uuid[])`,
);
