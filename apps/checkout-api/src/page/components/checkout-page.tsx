import type { OutcomeName } from '../page-state';
import { methodName, pageAddress, type PageModel } from '../page-model';
import { ChooseMethod } from './choose-method';
import { Footer } from './footer';
import { Header } from './header';
import { Outcome } from './outcome';
import { Pay } from './pay';
import { Summary } from './summary';

/** Statuses that a pending payment can reach while the page is open. */
const AHEAD: readonly OutcomeName[] = ['paid', 'review', 'expired', 'failed', 'rejected', 'checking', 'waiting'];

/** Complete without the script. */
export function CheckoutPage(model: PageModel) {
  const { view, stage, words, language, step } = model;
  const isPending = view.status === 'PENDING';
  return (
    <>
      <Header {...model} />
      <main
        id="checkout"
        data-id={view.id}
        data-stage={stage}
        data-step={step}
        data-method={view.paymentMethod}
        data-receiver={view.receiverMsisdn}
        data-expires={view.expiresAt}
        data-server={view.serverTime}
        data-pending={isPending}
        data-texts={JSON.stringify(scriptTexts(model))}
      >
        <Summary {...model} />
        <div id="stage" class={stage}>
          <CurrentStage {...model} />
        </div>
        {(stage === 'choose' || stage === 'pay' || stage === 'waiting') && (
          <form class="leave" data-open method="post" action={pageAddress({ id: view.id, language, form: 'cancel' })}>
            <button type="submit" class="plain">
              {words.cancel}
            </button>
          </form>
        )}
      </main>
      <Footer words={words} view={view} />
      <p class="seen-not" role="status" id="said" />
      {isPending &&
        AHEAD.map((name) => (
          <template id={`stage-${name}`} key={name}>
            <Outcome {...model} stage={name} step={undefined} notice={undefined} />
          </template>
        ))}
    </>
  );
}

function CurrentStage(model: PageModel) {
  const { view, stage } = model;
  if (stage === 'choose') return <ChooseMethod {...model} />;
  if (stage !== 'pay') return <Outcome {...model} stage={stage} />;
  const { paymentMethod: method, receiverMsisdn: receiver } = view;
  return method === null || receiver === null ? null : <Pay {...model} method={method} receiver={receiver} />;
}

function scriptTexts({ view, words, language }: PageModel) {
  const { malformed, malformed_digits: malformedDigits, used, kept_late: keptLate, busy } = words.notices;
  return {
    ...words.script,
    malformed,
    malformedDigits,
    used,
    keptLate,
    busy,
    limited: words.problems.limited.body,
    language,
    methods: Object.fromEntries(view.paymentMethods.map((method) => [method, methodName(words, method)])),
  };
}
