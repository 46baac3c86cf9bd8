import { dashboardOperations, type AuditEntryResponse } from '@pay/contracts';
import type { Serve } from '@pay/http';
import { pageOfAuditLog, type AuditEntry } from './audit-log-repository';
import type { ManageDeps } from './on-behalf-of';

export function mountAuditLog(serve: Serve, { db }: Pick<ManageDeps, 'db'>): void {
  serve(dashboardOperations.listAuditLog, async ({ session, query: { page, limit, after, ...filter } }) => {
    const place = { limit, offset: (page - 1) * limit, after };
    const { entries, ...found } = await pageOfAuditLog(db, { ...filter, merchantId: session.merchantId }, place);
    return { data: entries.map(entryView), ...found, page, limit };
  });
}

function entryView(entry: AuditEntry): AuditEntryResponse {
  const { id, at, actor, action, subjectKind, subjectId, environment, before, after, reason } = entry;
  return {
    id,
    actor,
    action,
    subjectKind,
    subjectId,
    environment,
    at: at.toISOString(),
    before: before as Record<string, unknown> | null,
    after: after as Record<string, unknown> | null,
    reason: reason ?? null,
  };
}
