import { tenantKey, type Tenant } from '@pay/contracts';
import { firstIdAt, type OldRows } from '@pay/persistence';
import type { Logger } from '@pay/runtime';
import {
  cutChains,
  lockOldest,
  oldDecisions,
  type OldestOfChain,
  type SignedCut,
} from '../decision-chain/decision-cut-repository';
import type { KeptDecision } from '../decision-chain/kept-decision-repository';
import type { DecisionChain } from '../decision-chain/decision-chain';
import type { DecisionRecord } from '../domain/decision-record';

export interface CutDecisionsDeps {
  readonly decisionChain: DecisionChain;
  readonly log: Logger;
}

/**
 * Deletes old decisions from the beginning of each chain and stores the last deleted link, signed, as the new start of
 * verification. Stops at an entry that differs from its signature.
 */
export function oldChainEntries({ decisionChain, log }: CutDecisionsDeps, before: Date): OldRows {
  return {
    name: 'decisions',
    async deleteBatch(tx, from, limit) {
      const old = await oldDecisions(tx, from, firstIdAt(before), limit);
      const shares = new Map<string, Tenant & { most: number }>();
      for (const { merchantId, environment } of old) {
        const key = tenantKey({ merchantId, environment });
        const share = shares.get(key) ?? { merchantId, environment, most: 0 };
        shares.set(key, { ...share, most: share.most + 1 });
      }
      const cuts: SignedCut[] = [];
      const ids: string[] = [];
      for (const chain of shares.size === 0 ? [] : await lockOldest(tx, [...shares.values()])) {
        const { cut, deleted, brokenAt } = cutOff(decisionChain, chain, before);
        if (brokenAt !== undefined) {
          log.error({ ...chain.tenant, position: brokenAt.toString() }, 'decisions.cut_refused');
        }
        if (cut === undefined) continue;
        cuts.push(cut);
        ids.push(...deleted);
      }
      return {
        read: old.length,
        deleted: await cutChains(tx, cuts, ids),
        position: old.at(-1)?.id ?? from,
      };
    },
  };
}

interface CutOff {
  readonly cut: SignedCut | undefined;
  readonly deleted: readonly string[];
  readonly brokenAt: bigint | undefined;
}

/** The entries that follow the last cut without a gap, are old enough and match their signatures. */
function cutOff(chain: DecisionChain, { tenant, cut: last, decisions }: OldestOfChain, before: Date): CutOff {
  const deleted: string[] = [];
  let through = last?.through ?? new Date(0);
  let position = last?.position ?? 0n;
  let link = last?.link ?? null;
  const end = (brokenAt?: bigint): CutOff => {
    if (deleted.length === 0 || link === null) return { cut: undefined, deleted: [], brokenAt };
    const cut = { ...tenant, position, link, through };
    return { cut: { ...cut, ...chain.signCut(cut) }, deleted, brokenAt };
  };
  if (last !== undefined && !chain.isCut(last, last)) return end(last.position);
  for (const decision of decisions) {
    const next = { ...tenant, position: position + 1n, previous: link, mac: decision.mac };
    const isWhole =
      decision.position === next.position &&
      chain.isSigned(decision.record, decision) &&
      chain.isLinked(next, signedLinkOf(decision));
    if (!isWhole) return end(next.position);
    const decidedAt = new Date((JSON.parse(decision.record) as DecisionRecord).decidedAt);
    if (decidedAt >= before) return end();
    position = next.position;
    link = decision.link;
    if (decidedAt > through) through = decidedAt;
    deleted.push(decision.id);
  }
  return end();
}

function signedLinkOf({ linkKeyId, link }: KeptDecision): { keyId: string; mac: string } {
  if (linkKeyId === null || link === null) throw new Error('invariant: an entry with a position has a link');
  return { keyId: linkKeyId, mac: link };
}
