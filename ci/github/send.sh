#!/usr/bin/env bash
# Runs the client with the inputs of the action (variables SEND_*) and keeps the object it prints as the output `result`.
set -euo pipefail

arguments=("$SEND_COMMAND" "$SEND_FILE" --json --timeout "$SEND_TIMEOUT")
if [ "$SEND_WAIT" = true ]; then arguments+=(--wait); fi
if [ -n "$SEND_FAIL_ON" ]; then arguments+=(--fail-on "$SEND_FAIL_ON"); fi
if [ "$SEND_ALLOW_UNCHECKED" = true ]; then arguments+=(--allow-unchecked); fi
if [ "$SEND_ALLOW_MALWARE" = true ]; then arguments+=(--allow-malware); fi
if [ -n "$SEND_MAX_DATA_AGE" ]; then arguments+=(--max-data-age "$SEND_MAX_DATA_AGE"); fi
if [ -n "$SEND_SARIF" ]; then arguments+=(--sarif "$SEND_SARIF"); fi
if [ -n "$SEND_JUNIT" ]; then arguments+=(--junit "$SEND_JUNIT"); fi
if [ -n "$SEND_PRODUCT_VERSION" ]; then arguments+=(--product-version "$SEND_PRODUCT_VERSION"); fi

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if [ -n "$SEND_PACKAGE" ]; then
  client=(npx --yes --package "$SEND_PACKAGE" -- sbom-monitor)
elif node -e 'process.exit(process.features.typescript ? 0 : 1)'; then
  client=(node "$here/../../client/src/main.ts")
else
  echo "::error::Node 22.18 or newer is needed (found $(node --version)): add actions/setup-node before this step, or name a package"
  exit 2
fi

code=0
result=$("${client[@]}" "${arguments[@]}") || code=$?
echo "result=$result" >>"$GITHUB_OUTPUT"
exit "$code"
