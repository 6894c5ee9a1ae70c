// FunnelReport
