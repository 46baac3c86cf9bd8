import type { AlertKind, Environment, Tenant } from '@pay/contracts';
import { firstRow, inTransaction, rows, type Queryable } from '@pay/persistence';
import { DEFAULT_ALERT_KINDS } from '../domain/alert-settings';

const find = firstRow<{ readonly kinds: readonly AlertKind[] }, [merchantId: string, environment: Environment]>(
  'alert-settings-find',
  'select kinds from alert_settings where merchant_id = $1 and environment = $2',
);

export async function alertKindsOf(db: Queryable, { merchantId, environment }: Tenant): Promise<AlertKind[]> {
  return [...((await find(db, merchantId, environment))?.kinds ?? DEFAULT_ALERT_KINDS[environment])];
}

/** Serialises changes of the settings of a merchant. */
export const lockAlertSettings = inTransaction.firstRow<object, [merchantId: string]>(
  'alert-settings-lock',
  'select id from merchants where id = $1 for no key update',
);

export const storeAlertSettings = inTransaction.command<
  [merchantId: string, environment: Environment, kinds: readonly AlertKind[], at: Date]
>(
  'alert-settings-store',
  `insert into alert_settings (merchant_id, environment, kinds, updated_at) values ($1, $2, $3, $4)
   on conflict (merchant_id, environment) do update set kinds = excluded.kinds, updated_at = excluded.updated_at`,
);

export interface WatchedTenant extends Tenant {
  readonly kinds: readonly AlertKind[];
}

export const watchedTenants = rows<WatchedTenant>(
  'alert-settings-watched',
  `select merchant_id as "merchantId", environment, kinds from (
     select m.id as merchant_id, tenant.environment, coalesce(s.kinds, tenant.kinds) as kinds
     from merchants m
     cross join (values ('SANDBOX', $1::text[]), ('LIVE', $2::text[])) as tenant (environment, kinds)
     left join alert_settings s on s.merchant_id = m.id and s.environment = tenant.environment
     where m.is_active and m.deleted_at is null) as every_tenant
   where cardinality(kinds) > 0 order by merchant_id, environment`,
  () => [DEFAULT_ALERT_KINDS.SANDBOX, DEFAULT_ALERT_KINDS.LIVE],
);
