import { expect, it } from 'vitest'
import { deliveredTo } from './mailbox.ts'

it.each([
  ['ada@company.example', 'ada@company.example'],
  [' Ada@Company.Example ', 'ada@company.example'],
  ['ada+one@company.example', 'ada@company.example'],
  ['a.d.a+one+two@company.example', 'ada@company.example'],
  ['ａｄａ@ｃompany.example', 'ada@company.example'],
  ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ['+ada@company.example', '+ada@company.example'],
])('mail to %s arrives in %s', (email, mailbox) => expect(deliveredTo(email)).toBe(mailbox))
