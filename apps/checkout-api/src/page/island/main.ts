/** The page works without this script. It adds a clock, live status, copying, and forms without a reload. */
import { runClock } from './clock';
import { listenForCopies } from './copy';
import { guardChoice, listenForTrxId } from './forms';
import { ask, watchStatus } from './live-status';
import { find, main, say, texts } from './page-parts';
import { listenForPrint, startRedirect } from './redirect';
import { isOpen, isTyping, show } from './stages';

listenForCopies();
listenForTrxId();
guardChoice();
listenForPrint();
watchStatus();

if (main.dataset['pending'] === 'true') {
  runClock(() => {
    if (!isOpen()) return;
    if (main.dataset['stage'] !== 'cancelled' && !isTyping()) show('checking');
    // A request after the end triggers the expiry, so it is repeated until the status is final.
    const settle = () => {
      if (!isOpen()) return;
      void ask();
      setTimeout(settle, 2_000);
    };
    setTimeout(settle, 250);
  });
}
startRedirect(find('[data-redirect]')?.dataset['redirect']);

const offline = find('#offline');
const tellConnection = () => {
  if (offline) offline.hidden = navigator.onLine;
  say(navigator.onLine ? texts.online : texts.offline);
};
addEventListener('offline', tellConnection);
addEventListener('online', tellConnection);
// The back-forward cache restores an old state.
addEventListener('pageshow', (event) => event.persisted && location.reload());
