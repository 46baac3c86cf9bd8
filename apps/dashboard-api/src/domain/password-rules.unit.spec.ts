import { passwordProblem } from './password-rules';

describe('password rules', () => {
  it.each([
    ['the e-mail address', 'Rahim@Shop.example', /e-mail/],
    ['a common one', 'Password1234', /common/],
    ['a common one with spaces around it', ' qwerty123456 ', /common/],
    ['one character', 'aaaaaaaaaaaaaa', /common/],
    ['two characters', 'abababababab', /common/],
  ])('%s is refused', (_what, password, problem) => {
    expect(passwordProblem(password, 'rahim@shop.example')).toMatch(problem);
  });

  it.each(['correct horse battery', 'onlysmallletters', '729104638215', 'আমার দোকানের চাবি'])(
    'have no other requirement: %s',
    (password) => {
      expect(passwordProblem(password, 'rahim@shop.example')).toBeUndefined();
    },
  );
});
