import {
  BusinessError,
  dashboardOperations,
  deliveryRowsSchema,
  exceptionPageSchema,
  inDhaka,
  internalSmsEventPageSchema,
  isPermitted,
  MAX_PAGE_SIZE,
  paymentPageSchema,
  type Environment,
  type Operation,
} from '@pay/contracts';
import { sessionOf, type Serve } from '@pay/http';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { answerOf } from '../clients/answer-of';
import type { Peer, Peers } from '../clients/service-clients';
import { withQuery } from '../clients/with-query';
import type { CurrentSession } from '../sign-in/current-session';
import { DELIVERY_COLUMNS, EXCEPTION_COLUMNS, PAYMENT_COLUMNS, SMS_EVENT_COLUMNS } from './columns';
import type { Columns, CsvExports, ExportPage } from './stream-csv';

export interface ExportRouteDeps extends Omit<Peers, 'shops'> {
  readonly csvExports: CsvExports;
  readonly currentSession: CurrentSession;
  readonly now: () => Date;
}

interface List<Row> {
  readonly operation: Operation;
  /** Beginning of the name of the file. */
  readonly name: string;
  readonly peer: Peer;
  readonly path: string;
  readonly schema: z.ZodType<ExportPage<Row>>;
  readonly columns: Columns<Row>;
}

interface Call {
  readonly query: { readonly environment?: Environment | undefined };
  readonly req: Request;
  readonly res: Response;
}

/** `/v1/dashboard/exports`: the lists of the dashboard as CSV files, page by page from the services that own them. */
export function mountExports(serve: Serve, deps: ExportRouteDeps): void {
  const payments = {
    operation: dashboardOperations.exportPayments,
    name: 'payments',
    columns: PAYMENT_COLUMNS,
    peer: deps.intentApi,
    path: '/internal/v1/intents',
    schema: paymentPageSchema,
  };
  const smsEvents = {
    operation: dashboardOperations.exportSmsEvents,
    name: 'sms',
    columns: SMS_EVENT_COLUMNS,
    peer: deps.smsIngest,
    path: '/internal/v1/sms-events',
    schema: internalSmsEventPageSchema,
  };
  const deliveries = {
    operation: dashboardOperations.exportDeliveries,
    name: 'webhook-deliveries',
    columns: DELIVERY_COLUMNS,
    peer: deps.webhookDispatcher,
    path: '/internal/v1/delivery-rows',
    schema: deliveryRowsSchema,
  };
  const exceptions = {
    operation: dashboardOperations.exportExceptions,
    name: 'exceptions',
    columns: EXCEPTION_COLUMNS,
    peer: deps.reconciler,
    path: '/internal/v1/exceptions',
    schema: exceptionPageSchema,
  };

  serve(dashboardOperations.exportPayments, (call) => send(deps, payments, call));
  serve(dashboardOperations.exportSmsEvents, (call) => send(deps, smsEvents, call));
  serve(dashboardOperations.exportDeliveries, (call) => send(deps, deliveries, call));
  serve(dashboardOperations.exportExceptions, (call) => send(deps, exceptions, call));
}

async function send<Row>(deps: ExportRouteDeps, list: List<Row>, { query, req, res }: Call) {
  const { operation, name, peer, path, schema, columns } = list;
  const { environment } = query;
  const { merchantId, userId } = sessionOf(res);
  const day = inDhaka(deps.now()).toISOString().slice(0, 10);
  // Deliveries are requested with headers, everything else with the query.
  const request = { schema, ...(environment !== undefined && { tenant: { merchantId, environment } }) };
  await deps.csvExports.send(res, req.method, {
    userId,
    merchantId,
    fileName: `${name}-${(environment ?? 'all').toLowerCase()}-${day}.csv`,
    columns,
    page: (after) =>
      answerOf(peer.request('GET', withQuery(path, { ...query, merchantId, after, limit: MAX_PAGE_SIZE }), request)),
    // A session that ended, or a role without this operation, gets no further page: a long export outlives both.
    assertPermitted: async () => {
      const session = await deps.currentSession(sessionOf(res));
      if (session === undefined) throw new BusinessError('UNAUTHORIZED');
      if (!isPermitted(operation.credential, session.role, environment ?? 'LIVE')) throw new BusinessError('FORBIDDEN');
    },
  });
}
