import { failOnLeaks } from '@pay/testing';
import { findProblems } from '../src/alerts/problem-repository';
import { aMerchant } from './service-under-test';
import { stage } from './stage';

failOnLeaks();

describe('problems of endpoints', () => {
  const on = stage(0.001);

  it('are endpoints that have accepted nothing for 15 minutes, also disabled by the system, named by their host', async () => {
    const { id: merchantId, environment } = on.merchant;
    const tenant = { merchantId, environment };
    const anEndpoint = async (path: string, assignment: string) => {
      const id = await on.register({ url: `${on.shop.url}/${path}?token=secret` });
      await on.service.db.execute(`update endpoints set ${assignment} where id = $1`, [id]);
      return id;
    };
    await anEndpoint('well', 'failing_since = null');
    await anEndpoint('young', `failing_since = now() - interval '14 minutes'`);
    const failing = await anEndpoint('failing', `failing_since = now() - interval '16 minutes'`);
    const off = await anEndpoint(
      'off',
      `failing_since = now() - interval '5 days', is_active = false, disabled_reason = 'NO_SUCCESS'`,
    );
    await anEndpoint('disabled', `failing_since = now() - interval '1 hour', is_active = false`);
    await anEndpoint('deleted', `failing_since = now() - interval '1 hour', deleted_at = now()`);

    const { problems, isComplete } = await findProblems(on.service.db, [tenant]);

    expect(isComplete).toBe(true);
    const name = new URL(on.shop.url).host;
    const fixed = { ...tenant, kind: 'endpoint_failing', name, count: 1, since: expect.any(String) };
    expect(problems).toEqual([
      { ...fixed, subject: off },
      { ...fixed, subject: failing },
    ]);
    const other = await aMerchant(on.service.db);
    expect((await findProblems(on.service.db, [{ merchantId: other.id, environment }])).problems).toEqual([]);
  });
});
