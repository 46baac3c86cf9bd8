import type { CheckoutView, PaymentMethod } from '@pay/contracts';
import type { Dictionary, Notice } from './dictionary';
import { GUIDES } from './guide';
import type { Language } from './languages';
import type { Stage, Step } from './page-state';

/** Everything that one answer of the page is made of. */
export interface PageModel {
  readonly view: CheckoutView;
  readonly stage: Stage;
  readonly step: Step | undefined;
  readonly notice: Notice | undefined;
  readonly language: Language;
  readonly words: Dictionary;
  /** Where cancelling leads; only known on the page that says that the customer has cancelled. */
  readonly cancelUrl: string | null;
  /** Chosen last in this browser, at any shop. */
  readonly lastMethod?: PaymentMethod | undefined;
}

/** The same once it is known by which method and to which number is paid. */
export interface PayModel extends PageModel {
  readonly method: PaymentMethod;
  readonly receiver: string;
}

export interface Address {
  readonly id: string;
  readonly language: Language;
  readonly step?: Step | undefined;
  readonly notice?: Notice | undefined;
  /** What comes behind the id: where a form is sent to. */
  readonly form?: 'method' | 'confirm' | 'cancel';
}

/** A URL of the page of one intent, with the chosen language. */
export function pageAddress({ id, language, step, notice, form }: Address): string {
  const query = new URLSearchParams({ language });
  if (step !== undefined) query.set('step', step);
  if (notice !== undefined) query.set('notice', notice);
  return `/checkout/${id}${form === undefined ? '' : `/${form}`}?${query.toString()}`;
}

/** "bKash Send Money", "বিকাশ সেন্ড মানি". */
export function methodName(words: Dictionary, method: PaymentMethod): string {
  const { provider, action } = GUIDES[method];
  return `${words.providers[provider]} ${words.methods[action]}`;
}

/** An address of the merchant's that a browser may be sent to; anything but http and https is none. */
export function safeAddress(url: string | null): string | null {
  return url !== null && /^https?:\/\//i.test(url) ? url : null;
}

/** Whether the notice is about a TrxID, and so belongs to its form. */
export function isTrxAnswer({ notice }: Pick<PageModel, 'notice'>): boolean {
  return (
    notice === 'malformed' ||
    notice === 'malformed_digits' ||
    notice === 'used' ||
    notice === 'busy' ||
    notice === 'kept_late'
  );
}
