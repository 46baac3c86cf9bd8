import type { PaymentMethod } from '@pay/contracts';
import { GUIDES, type Guide } from '../guide';
import { pageAddress, type PageModel } from '../page-model';
import { Mark } from './mark';
import { NoticeLine } from './notice-line';

/** No method is preselected, because customers who only continue would pay from a wallet that they do not have. */
export function ChooseMethod(model: PageModel) {
  const { view, words, language, lastMethod } = model;
  return (
    <section class="card">
      <form method="post" action={pageAddress({ id: view.id, language, form: 'method' })} id="choose">
        <fieldset class="choices">
          <legend>
            <h2>{words.chooseTitle}</h2>
          </legend>
          <NoticeLine {...model} tone="error" />
          {walletsOf(view.paymentMethods, lastMethod).map(({ provider, methods }) => (
            <div class="wallet" role="group" aria-labelledby={`wallet-${provider}`} key={provider}>
              <h3 id={`wallet-${provider}`}>
                <Mark provider={provider} />
                {words.providers[provider]}
              </h3>
              {methods.map((method) => (
                <Choice method={method} words={words} isLast={method === lastMethod} key={method} />
              ))}
            </div>
          ))}
        </fieldset>
        <button type="submit" class="primary">
          {words.continue}
        </button>
      </form>
    </section>
  );
}

interface ChoiceModel extends Pick<PageModel, 'words'> {
  readonly method: PaymentMethod;
  readonly isLast: boolean;
}

function Choice({ method, words, isLast }: ChoiceModel) {
  const { provider, action } = GUIDES[method];
  return (
    <label class="choice">
      <input type="radio" name="paymentMethod" value={method} aria-describedby={`hint-${method}`} />
      <span class="option">
        <b>
          <span class="seen-not">{words.providers[provider]} </span>
          {words.methods[action]}
          {isLast && <span class="last"> {words.lastUsed}</span>}
        </b>
        <span class="quiet hint" id={`hint-${method}`}>
          {words.methodHints[action]}
        </span>
      </span>
    </label>
  );
}

interface Wallet {
  readonly provider: Guide['provider'];
  readonly methods: readonly PaymentMethod[];
}

/** The wallet and the method that this browser used last come first. */
export function walletsOf(methods: readonly PaymentMethod[], last: PaymentMethod | undefined): Wallet[] {
  const sorted = last !== undefined && methods.includes(last) ? [...new Set([last, ...methods])] : methods;
  const providers = [...new Set(sorted.map((method) => GUIDES[method].provider))];
  return providers.map((provider) => ({
    provider,
    methods: sorted.filter((method) => GUIDES[method].provider === provider),
  }));
}
