import { userInfo } from 'node:os';

/** The user who runs the command, for the audit log. A container may run under a user id without a name. */
export function loginName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
