import { GUIDES } from '../guide';
import { isTrxAnswer, methodName, pageAddress, type PayModel } from '../page-model';
import { Mark } from './mark';
import { NoticeLine } from './notice-line';
import { Ring } from './sign';
import { Steps } from './steps';
import { TrxDetails } from './trx-form';

/**
 * If the SMS contains the reference, the form for a TrxID is only an alternative. Otherwise it is the last step,
 * because only the TrxID identifies the order.
 */
export function Pay(model: PayModel) {
  const { view, method, words, language, step } = model;
  const { provider, carriesReference, trx } = GUIDES[method];
  return (
    <>
      <section class="card" aria-labelledby="details">
        <div class="head">
          <Mark provider={provider} />
          <h2 id="details">{methodName(words, method)}</h2>
          {view.paymentMethods.length > 1 && (
            <a href={pageAddress({ id: view.id, language, step: 'choose' })}>{words.changeMethod}</a>
          )}
        </div>
        {!isTrxAnswer(model) && <NoticeLine {...model} />}
        <p class="notice" id="phone-offline" hidden={view.receiverOnline !== false}>
          {words.phoneOffline}
        </p>
        <Steps {...model} />
        {carriesReference && (
          <p class="listening" id="listening">
            <Ring size={20} />
            {words.listening}
          </p>
        )}
        {carriesReference && step === undefined && (
          <noscript>
            <p>
              <a class="button" href={pageAddress({ id: view.id, language, step: 'trx' })}>
                {words.trxSummary(trx.label)}
              </a>
            </p>
          </noscript>
        )}
      </section>
      {carriesReference && <TrxDetails {...model} />}
    </>
  );
}
