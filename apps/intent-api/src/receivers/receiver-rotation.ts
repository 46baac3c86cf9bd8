import { chooseReceiver, type ReceiverChoice, type ReceiverQuestion } from '../domain/receiver-choice';

/** Maximum number of accounts whose last use is remembered. Forgetting one costs only fairness. */
const REMEMBERED = 100_000;

export type ChooseReceiver = (question: Omit<ReceiverQuestion, 'lastUsed'>) => ReceiverChoice;

/** The order is local to this replica and in memory, so that a request needs no write. */
export function receiverRotation(): ChooseReceiver {
  const lastUsed = new Map<string, number>();
  let uses = 0;
  return (question) => {
    const choice = chooseReceiver({ ...question, lastUsed });
    if (choice.kind === 'chosen') {
      // Deleted first, so that the map stays in the order of use and its first entry can be evicted.
      lastUsed.delete(choice.account.id);
      lastUsed.set(choice.account.id, ++uses);
      const [oldest] = lastUsed.keys();
      if (lastUsed.size > REMEMBERED && oldest !== undefined) lastUsed.delete(oldest);
    }
    return choice;
  };
}
