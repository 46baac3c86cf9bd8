import type { PaymentMethod } from '@pay/contracts';
import { describeCheckout, type DescribeCheckoutDeps, type DescribedCheckout } from './describe-checkout';
import type { Checkout, IntentCopy } from '../domain/intent-copy';

export interface ChooseMethodDeps extends DescribeCheckoutDeps {
  readonly findCheckout: (id: string) => Promise<Checkout>;
  /** Calls intent-api, the only writer of intents. Throws its error. */
  readonly choose: (id: string, paymentMethod: PaymentMethod) => Promise<IntentCopy>;
  /** Stores a response of intent-api like its event. */
  readonly store: (copy: IntentCopy) => Promise<void>;
}

/** Stores the customer's choice of a method and returns the view with the receiver to pay. */
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
