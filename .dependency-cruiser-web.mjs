import rules from './.dependency-cruiser.mjs'

/**
 * No cycle in web/ but through a page that is loaded when it is opened: a page leads to all others, so also to the area that loads it. This is a
 * pass of its own, without such imports, because a rule that lets these cycles pass (`viaOnly`) overlooks others: it is shown one cycle for
 * each import, and that may be one through a page.
 */
export default {
  forbidden: [{ name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } }],
  options: { ...rules.options, exclude: { ...rules.options.exclude, dynamic: true } },
}
