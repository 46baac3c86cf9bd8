import type { CheckoutView, PaymentMethod } from '@pay/contracts';
import type { Dictionary } from './dictionary';
import { GUIDES } from './guide';
import type { Language } from './languages';
import type { Notice, Stage, Step } from './page-state';

/** The data of one response of the page. */
export interface PageModel {
  readonly view: CheckoutView;
  readonly stage: Stage;
  readonly step: Step | undefined;
  readonly notice: Notice | undefined;
  readonly language: Language;
  readonly words: Dictionary;
  /** The redirect after cancelling; only set on the page for a cancelled checkout. */
  readonly cancelUrl: string | null;
  /** The method that this browser chose last, at any shop. */
  readonly lastMethod?: PaymentMethod | undefined;
}

/** The model after method and receiver are known. */
export interface PayModel extends PageModel {
  readonly method: PaymentMethod;
  readonly receiver: string;
}

export interface Address {
  readonly id: string;
  readonly language: Language;
  readonly step?: Step | undefined;
  readonly notice?: Notice | undefined;
  /** The part of the URL after the id, for the action of a form. */
  readonly form?: 'method' | 'confirm' | 'cancel';
}

/** A URL of the page of one intent, with the chosen language. The browser scrolls to the form for a TrxID. */
export function pageAddress({ id, language, step, notice, form }: Address): string {
  const query = new URLSearchParams({ language });
  if (step !== undefined) query.set('step', step);
  if (notice !== undefined) query.set('notice', notice);
  const fragment = step === 'trx' ? '#trx-form' : '';
  return `/checkout/${id}${form === undefined ? '' : `/${form}`}?${query.toString()}${fragment}`;
}

/** "bKash Send Money", "বিকাশ সেন্ড মানি". */
export function methodName(words: Dictionary, method: PaymentMethod): string {
  const { provider, action } = GUIDES[method];
  return `${words.providers[provider]} ${words.methods[action]}`;
}

/** A URL of the merchant that a browser may open; undefined unless it is http or https. */
export function safeAddress(url: string | null): string | null {
  return url !== null && /^https?:\/\//i.test(url) ? url : null;
}

/** Whether the notice belongs to the form for a TrxID. */
export function isTrxAnswer({ notice }: Pick<PageModel, 'notice'>): boolean {
  return (
    notice === 'malformed' ||
    notice === 'malformed_digits' ||
    notice === 'used' ||
    notice === 'busy' ||
    notice === 'kept_late'
  );
}
