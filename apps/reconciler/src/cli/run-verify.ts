import { chosenTenants } from '@pay/directory';
import { withDatabase } from '@pay/persistence';
import { loadConfig } from '@pay/runtime';
import { reconcilerConfig } from '../config';
import { migrations } from '../db/migrations';
import { nextChainOf } from '../decision-chain/kept-decision-repository';
import { createDecisionChain } from '../decision-chain/decision-chain';
import { verifyDecisions, type VerifiedChain } from '../decision-chain/verify-decisions';
import type { VerifyOptions } from './verify-options';

const service = 'reconciler';
const commandConfig = reconcilerConfig.pick({
  NODE_ENV: true,
  DATABASE_URL: true,
  DATABASE_TLS: true,
  DECISION_CHAIN_KEYS: true,
});

/** Verifies the requested chains in the service's database, until one is broken. */
export async function runVerify(env: NodeJS.ProcessEnv, options: VerifyOptions): Promise<readonly VerifiedChain[]> {
  const config = loadConfig(commandConfig, env);
  const access = { url: config.DATABASE_URL, poolSize: 2, applicationName: `${service} command`, migrations };
  return withDatabase(access, async (db) => {
    const deps = { db, decisionChain: createDecisionChain(config.DECISION_CHAIN_KEYS) };
    const chains: VerifiedChain[] = [];
    for await (const tenant of chosenTenants(options, (last) => nextChainOf(db, last))) {
      const chain = await verifyDecisions(deps, tenant, options);
      chains.push(chain);
      if (chain.broken !== null) break;
    }
    return chains;
  });
}
