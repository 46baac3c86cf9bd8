import type { ComponentChildren } from 'preact';
import { GUIDES } from '../guide';
import { typedAmount } from '../numbers';
import type { PageModel, PayModel } from '../page-model';
import { TrxForm } from './trx-form';

/**
 * App and USSD menu differ in the first step and in the counter number. Radio buttons switch between them without a
 * script.
 */
export function Steps(model: PayModel) {
  const { method, receiver, view, words } = model;
  const { provider, ussd, action, menu, carriesReference, asksForCounter, trx } = GUIDES[method];
  const { steps } = words;
  const agent = action === 'cashOut' ? steps.askAgent : '';
  return (
    <div class="channels" role="radiogroup" aria-label={words.channelLegend}>
      <input type="radio" name="channel" id="by-app" class="seen-not" checked />
      <label for="by-app">{words.channelApp(words.providers[provider])}</label>
      <input type="radio" name="channel" id="by-ussd" class="seen-not" />
      <label for="by-ussd">{words.channelUssd(ussd)}</label>
      <ol class="steps">
        <li>
          <span class="app">
            {steps.openApp(words.providers[provider], menu, words.methods[action])}
            {agent}
          </span>
          <span class="ussd">
            {steps.dial(ussd, menu)}
            {agent}
          </span>
        </li>
        <ValueStep name={words.receiver[action]} value={receiver} words={words} />
        <ValueStep name={words.amount} value={typedAmount(view.amount)} words={words} />
        {carriesReference && (
          <ValueStep name={words.reference} value={view.customerReference} words={words} isLead>
            {words.referenceWhy}
          </ValueStep>
        )}
        {asksForCounter && <li class="ussd">{steps.counter}</li>}
        <li>{steps.pin}</li>
        {!carriesReference && (
          <li class="trx-step">
            <h3>{words.trxTitleFirst(trx.label)}</h3>
            <TrxForm {...model} isTitled />
          </li>
        )}
      </ol>
    </div>
  );
}

interface ValueStepModel extends Pick<PageModel, 'words'> {
  readonly name: string;
  readonly value: string;
  /** True for the value that links the payment to the order. */
  readonly isLead?: boolean;
  readonly children?: ComponentChildren;
}

/** Wallets require Latin digits. One tap selects the value. */
function ValueStep({ name, value, isLead = false, words, children }: ValueStepModel) {
  return (
    <li class={isLead ? 'lead' : undefined}>
      <div class="field">
        <span class="what">
          <span class="quiet name">{name}</span>{' '}
          <span class="value" lang="en" translate={false}>
            {value}
          </span>
        </span>
        <button type="button" class="copy needs-script" data-copy={value}>
          <span>{words.copy}</span>
          <span class="seen-not"> {name}</span>
        </button>
      </div>
      {children !== undefined && <p class="quiet why">{children}</p>}
    </li>
  );
}
