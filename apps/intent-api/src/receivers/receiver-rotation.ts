import { chooseReceiver, type ReceiverChoice, type ReceiverQuestion } from '../domain/receiver-choice';

/**
 * Accounts whose last use is remembered; more than one replica ever serves in a day, and forgetting costs only
 * fairness.
 */
const REMEMBERED = 100_000;

export type ChooseReceiver = (question: Omit<ReceiverQuestion, 'lastUsed'>) => ReceiverChoice;

/** Chooses receivers in turn. The order is this replica's own and lives in memory: no write per request. */
export function receiverRotation(): ChooseReceiver {
  const lastUsed = new Map<string, number>();
  let uses = 0;
  return (question) => {
    const choice = chooseReceiver({ ...question, lastUsed });
    if (choice.kind === 'chosen') {
      // Deleted first, so that the map stays in the order of use and its first entry is the one to forget.
      lastUsed.delete(choice.account.id);
      lastUsed.set(choice.account.id, ++uses);
      const [oldest] = lastUsed.keys();
      if (lastUsed.size > REMEMBERED && oldest !== undefined) lastUsed.delete(oldest);
    }
    return choice;
  };
}
