import { mapped } from '@pay/persistence';
import { INTENT_COLUMNS, storedIntent } from '../db/intent-row';

export const findIntent = mapped(storedIntent).firstRow<[id: string]>(
  'find-intent',
  `select ${INTENT_COLUMNS} from payment_intents where id = $1`,
);

/** In any order and of all tenants. Unknown ids are missing. */
export const findIntents = mapped(storedIntent).rows<[ids: readonly string[]]>(
  'find-intents',
  `select ${INTENT_COLUMNS} from payment_intents where id = any($1::uuid[])`,
);
