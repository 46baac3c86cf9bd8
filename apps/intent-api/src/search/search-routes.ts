import {
  foundPaymentSchema,
  internalPaymentSearchQuerySchema,
  isUuid,
  parseAmount,
  referenceKey,
  toAsciiDigits,
} from '@pay/contracts';
import type { InternalRoutes } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import { searchIntents } from './search-repository';

export function mountSearch(dashboard: InternalRoutes, db: Queryable): void {
  dashboard.get(
    '/internal/v1/search',
    { query: internalPaymentSearchQuerySchema },
    async ({ query: { text, ids, ...tenant } }) => {
      const found = await searchIntents(db, tenant, {
        text,
        referenceKey: referenceKey(text),
        ids: isUuid(text) ? [...ids, text] : ids,
        poisha: parseAmount(toAsciiDigits(text).replaceAll(',', '')),
      });
      const data = found.map(({ foundBy, stored }) => foundPaymentSchema.parse({ ...stored.intent, foundBy }));
      return { data };
    },
  );
}
