import { sandboxOperations, type TestEndpoint, BusinessError } from '@pay/contracts';
import type { Serve } from '@pay/http';
import type { Database } from '@pay/persistence';
import { recordAction } from '../../changes/record-action';
import type { TestEndpointLimits } from '../limit-sandbox';
import { answerTestEndpoint, type AnswerTestEndpointDeps } from './answer-test-endpoint';
import { TestEndpointRefused, urlOfTestEndpoint, type ProvidedEndpoint } from './provide-test-endpoint';
import {
  changeTestEndpoint,
  findTestEndpoint,
  findTestEndpointByToken,
  pageOfTestEndpointRequests,
  type TestEndpointRow,
} from './test-endpoint-repository';

export interface TestEndpointRoutesDeps extends AnswerTestEndpointDeps {
  readonly db: Database;
  readonly testEndpointOf: (merchantId: string) => Promise<ProvidedEndpoint>;
  readonly apiUrl: string;
  readonly limits: TestEndpointLimits;
}

export function mountTestEndpoints(serve: Serve, deps: TestEndpointRoutesDeps): void {
  const { db, apiUrl } = deps;

  async function known(merchantId: string): Promise<TestEndpoint> {
    const row = await findTestEndpoint(db, merchantId);
    if (row === undefined || row.endpointId === null) throw new BusinessError('NOT_FOUND');
    return shown(row, row.endpointId, apiUrl);
  }

  serve(sandboxOperations.createTestEndpoint, async ({ session: { merchantId, userId } }) => {
    try {
      const provided = await deps.testEndpointOf(merchantId);
      await db.transaction((tx) =>
        recordAction({ ...deps, actor: `user:${userId}` }, tx, {
          action: 'test_endpoint.provided',
          subjectKind: 'webhook_endpoint',
          subjectId: provided.endpointId,
          merchantId,
          environment: 'SANDBOX',
        }),
      );
      return shown(provided, provided.endpointId, apiUrl);
    } catch (error) {
      if (error instanceof TestEndpointRefused) throw new BusinessError('TEST_ENDPOINT_REFUSED', error.message);
      throw error;
    }
  });
  serve(sandboxOperations.getTestEndpoint, ({ session }) => known(session.merchantId));
  serve(sandboxOperations.changeTestEndpoint, async ({ session: { merchantId, userId }, body }) => {
    const before = await known(merchantId);
    const { responseStatus = before.responseStatus, responseDelaySeconds = before.responseDelaySeconds } = body;
    const after = { responseStatus, responseDelaySeconds };
    await db.transaction(async (tx) => {
      await changeTestEndpoint(tx, merchantId, after);
      await recordAction({ ...deps, actor: `user:${userId}` }, tx, {
        action: 'test_endpoint.changed',
        subjectKind: 'webhook_endpoint',
        subjectId: before.endpointId,
        merchantId,
        environment: 'SANDBOX',
        before,
        after,
      });
    });
    return { ...before, ...after };
  });
  serve(sandboxOperations.listTestEndpointRequests, async ({ session, query }) => {
    const { data: rows, ...page } = await pageOfTestEndpointRequests(db, query, session.merchantId);
    const data = rows.map(({ receivedAt, environment: _environment, ...row }) => ({
      ...row,
      headers: { ...row.headers },
      receivedAt: receivedAt.toISOString(),
    }));
    return { ...page, data };
  });
  serve(sandboxOperations.receiveTestWebhook, async ({ params, req, res }) => {
    const endpoint = await findTestEndpointByToken(db, params.token);
    if (endpoint === undefined) throw new BusinessError('NOT_FOUND');
    deps.limits.tokenFound(req, res);
    const answer = await answerTestEndpoint(deps, endpoint, {
      headers: req.headers,
      rawBody: req.rawBody ?? Buffer.alloc(0),
    });
    // The merchant configures the status, so it is not one of the described ones.
    res.status(answer.status).json(answer.body);
    return {};
  });
}

function shown(row: TestEndpointRow, endpointId: string, apiUrl: string): TestEndpoint {
  const { token, responseStatus, responseDelaySeconds } = row;
  return { endpointId, url: urlOfTestEndpoint(apiUrl, token), responseStatus, responseDelaySeconds };
}
