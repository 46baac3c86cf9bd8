import type { PaymentMethod } from '@pay/contracts';
import { describeCheckout, type DescribeCheckoutDeps, type DescribedCheckout } from './describe-checkout';
import type { Checkout, IntentCopy } from '../domain/intent-copy';

export interface ChooseMethodDeps extends DescribeCheckoutDeps {
  readonly findCheckout: (id: string) => Promise<Checkout>;
  /** Calls intent-api, which owns intents. Throws its error. */
  readonly choose: (id: string, paymentMethod: PaymentMethod) => Promise<IntentCopy>;
  /** Stores the response like an event. */
  readonly store: (copy: IntentCopy) => Promise<void>;
}

export async function chooseMethod(
  deps: ChooseMethodDeps,
  id: string,
  paymentMethod: PaymentMethod,
): Promise<DescribedCheckout> {
  const { copy, claimOutcomes } = await deps.findCheckout(id);
  const chosen = await deps.choose(copy.intent.id, paymentMethod);
  await deps.store(chosen);
  return describeCheckout(deps, { copy: chosen, claimOutcomes });
}
