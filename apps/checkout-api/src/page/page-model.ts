import type { CheckoutView, PaymentMethod } from '@pay/contracts';
import type { Dictionary } from './dictionary';
import { GUIDES } from './guide';
import type { Language } from './languages';
import type { Notice, Stage, Step } from './page-state';

export interface PageModel {
  readonly view: CheckoutView;
  readonly stage: Stage;
  readonly step: Step | undefined;
  readonly notice: Notice | undefined;
  readonly language: Language;
  readonly words: Dictionary;
  /** Only set on the page of a cancelled checkout. */
  readonly cancelUrl: string | null;
  /** The last method of this browser at any shop. */
  readonly lastMethod?: PaymentMethod | undefined;
}

export interface PayModel extends PageModel {
  readonly method: PaymentMethod;
  readonly receiver: string;
}

export interface Address {
  readonly id: string;
  readonly language: Language;
  readonly step?: Step | undefined;
  readonly notice?: Notice | undefined;
  /** Path segment after the id, for the action of a form. */
  readonly form?: 'method' | 'confirm' | 'cancel';
}

/** Contains the chosen language, and a fragment that scrolls to the form for a TrxID. */
export function pageAddress({ id, language, step, notice, form }: Address): string {
  const query = new URLSearchParams({ language });
  if (step !== undefined) query.set('step', step);
  if (notice !== undefined) query.set('notice', notice);
  const fragment = step === 'trx' ? '#trx-form' : '';
  return `/checkout/${id}${form === undefined ? '' : `/${form}`}?${query.toString()}${fragment}`;
}

/** Examples: "bKash Send Money", "বিকাশ সেন্ড মানি". */
export function methodName(words: Dictionary, method: PaymentMethod): string {
  const { provider, action } = GUIDES[method];
  return `${words.providers[provider]} ${words.methods[action]}`;
}

/** Null unless the URL is http or https, because merchants enter it. */
export function safeAddress(url: string | null): string | null {
  return url !== null && /^https?:\/\//i.test(url) ? url : null;
}

export function isTrxAnswer({ notice }: Pick<PageModel, 'notice'>): boolean {
  return (
    notice === 'malformed' ||
    notice === 'malformed_digits' ||
    notice === 'used' ||
    notice === 'busy' ||
    notice === 'kept_late'
  );
}
