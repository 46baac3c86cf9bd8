import { useState } from 'react';

/**
 * The fields of a form over stored values. A field that the person has not changed follows its stored value, and is
 * not sent: it would undo what others have changed since the page was opened.
 */
export function useChanges<Fields extends object>(stored: Fields) {
  const [changed, setChanged] = useState<Partial<Fields>>({});
  /** A person may change fields further while they are sent. */
  const [sending, setSending] = useState<Partial<Fields>>({});
  const known = { ...stored, ...sending };
  return {
    fields: { ...known, ...changed },
    change:
      <Name extends keyof Fields>(name: Name) =>
      (value: Fields[Name]) =>
        setChanged((before) => differing<Fields>({ ...before, [name]: value }, known)),
    save: async (send: (changed: Partial<Fields>) => Promise<unknown>) => {
      setSending(changed);
      setChanged({});
      try {
        await send(changed);
      } catch (error) {
        setChanged((since) => ({ ...changed, ...since }));
        throw error;
      } finally {
        setSending({});
      }
    },
  };
}

function differing<Fields extends object>(fields: Partial<Fields>, from: Partial<Fields>): Partial<Fields> {
  const entries = Object.entries(fields).filter(([name, value]) => value !== from[name as keyof Fields]);
  return Object.fromEntries(entries) as Partial<Fields>;
}

/** A list as one field for each possible member. */
export function membersOf<Member extends string>(all: readonly Member[], list: readonly string[]) {
  return Object.fromEntries(all.map((member) => [member, list.includes(member)])) as Record<Member, boolean>;
}
