import { GUIDES } from '../guide';
import { typedAmount } from '../numbers';
import { isTrxAnswer, methodName, pageAddress, type PageModel, type PayModel } from '../page-model';
import { NoticeLine } from './notice-line';
import { HowToPay } from './how-to-pay';
import { Mark } from './mark';
import { TrxForm } from './trx-form';

/**
 * What to enter, how, and what comes after. Where the SMS carries the reference it comes first and the page finds the payment by
 * itself; any other payment is only found by its TrxID, so its form is open and stands before the steps.
 */
export function Pay(model: PayModel) {
  const { view, method, words, language, step } = model;
  const { carriesReference } = GUIDES[method];
  return (
    <>
      <section class="card" aria-labelledby="details">
        <div class="head">
          <Mark method={method} />
          <h2 id="details">{methodName(words, method)}</h2>
          {view.paymentMethods.length > 1 && (
            <a href={pageAddress({ id: view.id, language, step: 'choose' })}>{words.changeMethod}</a>
          )}
        </div>
        {!isTrxAnswer(model) && <NoticeLine {...model} />}
        <p class="warning" id="phone-offline" hidden={view.receiverOnline !== false}>
          {words.phoneOffline}
        </p>
        <Fields {...model} />
        <p class="listening" id="listening">
          <span class="pulse" aria-hidden="true" />
          {words.listening}
        </p>
        {carriesReference && step === undefined && (
          <noscript>
            <p>
              <a class="button" href={pageAddress({ id: view.id, language, step: 'trx' })}>
                {words.trxSummary(GUIDES[method].trx.label)}
              </a>
            </p>
          </noscript>
        )}
      </section>
      {!carriesReference && <TrxForm {...model} />}
      <HowToPay {...model} />
      {carriesReference && <TrxForm {...model} />}
    </>
  );
}

function Fields({ view, method, receiver, words }: PayModel) {
  const { action, carriesReference } = GUIDES[method];
  return (
    <dl class="fields">
      {carriesReference && (
        <Field lead name={words.reference} value={view.customerReference} why={words.referenceWhy} words={words} />
      )}
      <Field name={words.receiver[action]} value={receiver} words={words} />
      <Field name={words.amount} value={typedAmount(view.amount)} words={words} />
    </dl>
  );
}

interface FieldModel extends Pick<PageModel, 'words'> {
  readonly name: string;
  readonly value: string;
  readonly why?: string;
  readonly lead?: boolean;
}

/** Something to type elsewhere: in Latin digits, because wallets want them, and whole when it is tapped. */
function Field({ name, value, why, lead = false, words }: FieldModel) {
  return (
    <div class={lead ? 'field lead' : 'field'}>
      <dt>{name}</dt>
      <dd>
        <span class="value" lang="en" translate={false}>
          {value}
        </span>
        <button type="button" class="copy needs-script" data-copy={value}>
          <span>{words.copy}</span>
          <span class="seen-not"> {name}</span>
        </button>
        {why !== undefined && <span class="quiet why">{why}</span>}
      </dd>
    </div>
  );
}
