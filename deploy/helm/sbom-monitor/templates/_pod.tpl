{{/* The address of the service; every published address derives from it, so nothing else than https is taken. */}}
{{- define "sbom-monitor.baseUrl" -}}
{{- $url := required "baseUrl: the public https address of the service" .Values.baseUrl -}}
{{- if not (regexMatch "^https://[^/?#@[:space:]]+(/[^?#@[:space:]]*)?$" $url) -}}
{{- fail (printf "baseUrl: expected the public https address of the service, found %q" $url) -}}
{{- end -}}
{{- $url -}}
{{- end }}

{{/* The pod of a role: `dict "root" $ "role" "serve" "settings" .Values.serve`. */}}
{{- define "sbom-monitor.pod" -}}
metadata:
  labels:
    app.kubernetes.io/name: sbom-monitor
    app.kubernetes.io/instance: {{ .root.Release.Name }}
    app.kubernetes.io/component: {{ .role }}
  {{- with .root.Values.podAnnotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  automountServiceAccountToken: false
  {{- with .root.Values.imagePullSecrets }}
  imagePullSecrets: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .root.Values.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .root.Values.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  terminationGracePeriodSeconds: 20
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    seccompProfile: { type: RuntimeDefault }
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          app.kubernetes.io/instance: {{ .root.Release.Name }}
          app.kubernetes.io/component: {{ .role }}
  containers:
    - name: {{ .role }}
      image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}"
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      args: ['node', 'src/main.ts', '{{ .role }}']
      env:
        - name: BASE_URL
          value: {{ include "sbom-monitor.baseUrl" .root | quote }}
        - name: METRICS_PORT
          value: '9464'
        {{- range $name, $value := .root.Values.environment }}
        {{- if has $name (list "BASE_URL" "METRICS_PORT" "PORT" "HOST") }}
        {{- fail (printf "environment.%s: the chart says this itself; leave it out" $name) }}
        {{- end }}
        - name: {{ $name }}
          value: {{ $value | quote }}
        {{- end }}
      envFrom:
        - secretRef:
            name: {{ required "existingSecret: a Secret with DATABASE_URL and ENCRYPTION_KEYS" .root.Values.existingSecret }}
      ports:
        - name: probes
          containerPort: 9464
        {{- if eq .role "serve" }}
        - name: http
          containerPort: 3000
        {{- end }}
      startupProbe:
        httpGet: { path: /healthz, port: probes }
        periodSeconds: 5
        # longer than the ten minutes that a step of the schema waits for a long transaction
        failureThreshold: 150
      livenessProbe:
        httpGet: { path: /healthz, port: probes }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: /readyz, port: probes }
        periodSeconds: 5
        timeoutSeconds: 3
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: { drop: [ALL] }
      resources: {{- toYaml .settings.resources | nindent 8 }}
      volumeMounts:
        - name: tmp
          mountPath: /tmp
        {{- if or .root.Values.ca.configMap .root.Values.ca.secret }}
        - name: ca
          mountPath: /etc/sbom-monitor/ca
          readOnly: true
        {{- end }}
  volumes:
    - name: tmp
      emptyDir: {}
    {{- with .root.Values.ca }}
    {{- if and .configMap .secret }}
    {{- fail "ca: expected configMap or secret, found both" }}
    {{- end }}
    {{- if .configMap }}
    - name: ca
      configMap:
        name: {{ .configMap }}
        items: [{ key: {{ .key | quote }}, path: ca.crt }]
    {{- else if .secret }}
    - name: ca
      secret:
        secretName: {{ .secret }}
        items: [{ key: {{ .key | quote }}, path: ca.crt }]
    {{- end }}
    {{- end }}
{{- end }}
