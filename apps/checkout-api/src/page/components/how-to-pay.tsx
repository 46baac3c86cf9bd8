import type { ComponentChildren } from 'preact';
import { GUIDES, type Guide } from '../guide';
import { typedAmount } from '../numbers';
import { methodName, type PayModel } from '../page-model';

/** The steps for the app and for the menu behind the short code. Which of them shows is the radio buttons' affair: no script. */
export function HowToPay(model: PayModel) {
  const { method, words } = model;
  const { provider, ussd } = GUIDES[method];
  return (
    <section class="card" aria-labelledby="how">
      <h2 id="how">{words.stepsTitle(methodName(words, method))}</h2>
      <div class="channels" role="radiogroup" aria-label={words.channelLegend}>
        <input type="radio" name="channel" id="by-app" class="seen-not" checked />
        <label for="by-app">{words.channelApp(words.providers[provider])}</label>
        <input type="radio" name="channel" id="by-ussd" class="seen-not" />
        <label for="by-ussd">{words.channelUssd(ussd)}</label>
        <Steps {...model} channel="app" />
        <Steps {...model} channel="ussd" />
      </div>
      <p class="quiet hint">{words.neverPin}</p>
    </section>
  );
}

/** The USSD menus change their numbers, so a step names the entry and not its number. */
function Steps({ channel, method, receiver, view, words }: PayModel & { readonly channel: 'app' | 'ussd' }) {
  const { steps } = words;
  const guide = GUIDES[method];
  return (
    <ol class={channel}>
      <Step>{channel === 'app' ? steps.openApp(words.providers[guide.provider]) : steps.dial(guide.ussd)}</Step>
      <Step>{pick(words, channel, guide)}</Step>
      <Step value={receiver}>{steps.receiver}</Step>
      <Step value={typedAmount(view.amount)}>{steps.amount}</Step>
      {guide.carriesReference && <Step value={view.customerReference}>{steps.reference}</Step>}
      {guide.asksForCounter && channel === 'ussd' && <Step value="1">{steps.counter}</Step>}
      <Step>{steps.pin}</Step>
      <Step>{guide.carriesReference ? steps.thenWait : steps.thenTrxId(guide.trx.label)}</Step>
    </ol>
  );
}

function pick({ steps, methods }: PayModel['words'], channel: 'app' | 'ussd', { action, menu }: Guide): string {
  if (action === 'cashOut') return steps.pickCashOut(menu, methods.cashOut);
  return channel === 'app' ? steps.pickInApp(menu, methods[action]) : steps.pickInMenu(menu);
}

function Step({ value, children }: { readonly value?: string; readonly children: ComponentChildren }) {
  return (
    <li>
      {children}
      {value !== undefined && (
        <>
          {' '}
          <b lang="en" translate={false}>
            {value}
          </b>
        </>
      )}
    </li>
  );
}
