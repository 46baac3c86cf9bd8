import { SERVICES } from '@pay/contracts';
import type { ServiceDatabases } from './service-databases';

/** Tables with an environment and a merchant per row. Excludes `switch_offs`, which change when a merchant is added. */
const TABLES = `
  select table_name as "table" from information_schema.columns
   where table_schema = $1 and column_name in ('environment', 'merchant_id') and table_name <> 'switch_offs'
   group by table_name having count(*) = 2 order by table_name`;

/** Number and digest of the LIVE rows of merchants, per table of every service. */
export async function liveRows(
  databases: ServiceDatabases,
  merchantIds: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const rows: Record<string, string> = {};
  for (const service of SERVICES) {
    const schema = service.replaceAll('-', '_');
    const found = await databases.query<{ table: string }>(service, TABLES, [schema]);
    for (const { table } of found.rows) {
      const sql = `
        select count(*) || ' rows, ' || coalesce(md5(string_agg(md5(live::text), '' order by md5(live::text))), 'none') as content
          from ${schema}."${table}" live where environment = 'LIVE' and merchant_id = any($1::uuid[])`;
      const { rows: answer } = await databases.query<{ content: string }>(service, sql, [merchantIds]);
      rows[`${schema}.${table}`] = answer[0]?.content ?? '';
    }
  }
  return rows;
}
