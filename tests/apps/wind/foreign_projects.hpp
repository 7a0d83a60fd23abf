// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Small projects in the formats of QES-Winds and QUIC.
#pragma once

#include <string>

namespace karman::test {

/// Domain of 40 x 30 x 20 cells with a halo, one logarithmic sensor, two buildings, three plants.
inline std::string const small_qes_project = R"(<QESWindsParameters>
<simulationParameters>
  <halo_x> 20 </halo_x> <halo_y> 10 </halo_y>
  <domain> 40 30 20 </domain>
  <cellSize> 5.0 5.0 2.0 </cellSize> <!-- metres -->
  <verticalStretching> 0 </verticalStretching>
  <totalTimeIncrements> 1 </totalTimeIncrements>
  <logLawFlag> 1 </logLawFlag>
  <meshTypeFlag> 1 </meshTypeFlag>
  <maxIterations> 500 </maxIterations>
</simulationParameters>
<metParams>
  <z0_domain_flag> 0 </z0_domain_flag>
  <sensor>
    <site_coord_flag> 1 </site_coord_flag>
    <site_xcoord> 1.0 </site_xcoord> <site_ycoord> 1.0 </site_ycoord>
    <timeSeries>
      <boundaryLayerFlag> 1 </boundaryLayerFlag>
      <siteZ0> 0.1 </siteZ0>
      <reciprocal> 0.01 </reciprocal>
      <height> 10.0 </height> <speed> 5.0 </speed> <direction> 270.0 </direction>
    </timeSeries>
  </sensor>
</metParams>
<buildingsParams>
  <wallRoughness> 0.2 </wallRoughness>
  <rooftopFlag> 2 </rooftopFlag>
  <upwindCavityFlag> 3 </upwindCavityFlag>
  <streetCanyonFlag> 1 </streetCanyonFlag>
  <streetIntersectionFlag> 1 </streetIntersectionFlag>
  <wakeFlag> 2 </wakeFlag>
  <highRiseFlag> 1 </highRiseFlag>
  <sidewallFlag> 0 </sidewallFlag>
  <numBuildings> 2 </numBuildings>
  <rectangularBuilding>
    <height> 12 </height> <baseHeight> 4 </baseHeight>
    <xStart> 60 </xStart> <yStart> 20 </yStart>
    <length> 30 </length> <width> 10 </width> <buildingRotation> 90 </buildingRotation>
  </rectangularBuilding>
  <QUICBuilding>
    <height> 9 </height> <baseHeight> 0 </baseHeight>
    <xVertex> 100 </xVertex> <yVertex> 20 </yVertex>
    <xVertex> 120 </xVertex> <yVertex> 20 </yVertex>
    <xVertex> 120 </xVertex> <yVertex> 40 </yVertex>
  </QUICBuilding>
</buildingsParams>
<vegetationParams>
  <wakeFlag> 0 </wakeFlag>
  <Homogeneous>
    <attenuationCoefficient> 1.5 </attenuationCoefficient> <height> 6 </height> <baseHeight> 0 </baseHeight>
    <xStart> 100 </xStart> <yStart> 60 </yStart> <length> 20 </length> <width> 10 </width>
    <canopyRotation> 0 </canopyRotation>
  </Homogeneous>
  <IsolatedTree>
    <attenuationCoefficient> 3 </attenuationCoefficient> <height> 15 </height> <baseHeight> 3 </baseHeight>
    <zMaxLAI> 0.7 </zMaxLAI> <xCenter> 20 </xCenter> <yCenter> 70 </yCenter> <width> 10 </width>
  </IsolatedTree>
  <Windbreak>
    <opticalPorosity> 0.3 </opticalPorosity> <height> 4 </height> <understroyHeight> 1 </understroyHeight>
    <xStart> 20 </xStart> <yStart> 20 </yStart> <length> 40 </length> <width> 2 </width>
    <canopyRotation> 0 </canopyRotation> <fenceModel> 1 </fenceModel>
  </Windbreak>
</vegetationParams>
<turbParams> <method> 0 </method> </turbParams>
</QESWindsParameters>
)";

/// 60 x 40 cells in listed layers, five structures.
inline std::string const small_quic_simulation = R"(!QUIC 6.26
60 !nx - Domain Length(X) Grid Cells
40 !ny - Domain Width(Y) Grid Cells
8 !nz - Domain Height(Z) Grid Cells
5 !dx (meters)
5 !dy (meters)
3 !Vertical stretching flag(0=uniform,1=custom,2=parabolic Z,3=parabolic DZ,4=exponential)
2.0 !Surface dz (meters)
4 !Number of uniform surface cells
!dz array (meters)
2
2
2
2
4
8
16
32
2 !total time increments
0 !UTC conversion
!Begining of time step in Unix Epoch time (integer seconds since 1970/1/1 00:00:00)
1488794400
1488796200
1 !rooftop flag (0-none, 1-log profile, 2-vortex)
1 !upwind cavity flag (0-none, 1-Rockle, 2-MVP, 3-HMVP)
4 !street canyon flag (0-none, 1-Roeckle, 2-CPB, 3-exp. param. PKK, 4-Roeckle w/ Fackrel)
0 !street intersection flag (0-off, 1-on)
1 !wake flag (0-none, 1-Rockle, 2-Modified Rockle, 3-Area Scaled)
1 !sidewall flag (0-off, 1-on)
1 !Individual tree wake flag
2 !Canopy flag (1-Cionco w/o wakes, 2-Cionco w/ wakes)
1 !Season flag (1-Summer, 2-Winter, 3-Transition)
100 !Maximum number of iterations
3 !Residual Reduction (Orders of Magnitude)
0 !Use Diffusion Algorithm (1 = on)
20 !Number of Diffusion iterations
30 !Domain rotation relative to true north (cw = +)
0.0 !UTMX of domain origin (m)
0.0 !UTMY of domain origin (m)
1 !UTM zone
17 !UTM zone leter (1=A,2=B,etc.)
0 !QUIC-CFD Flag
0 !Explosive building damage flag (1 = on)
0 !Building Array Flag (1 = on)
)";

inline std::string const small_quic_buildings = R"(!QUIC 6.26
0.1 !Wall roughness length (m)
5 !Number of Buildings
10 !Number of Polygon Building Nodes
!Start Building 1
1 !Group ID
1 !Geometry = Rectangular
1 !Building Type = Solid
12 !Height [m]
3 !Base Height (Zfo) [m]
60 !Centroid X [m]
65 !Centroid Y [m]
50 !Xfo [m]
65 !Yfo [m]
20 !Length [m]
30 !Width [m]
0 !Rotation [deg]
!End Building 1
!Start Building 2
2 !Group ID
2 !Geometry = Elliptical
1 !Building Type = Solid
20 !Height [m]
0 !Base Height (Zfo) [m]
110 !Centroid X [m]
65 !Centroid Y [m]
110 !Xfo [m]
55 !Yfo [m]
20 !Length [m]
10 !Width [m]
90 !Rotation [deg]
!End Building 2
!Start Building 3
3 !Group ID
6 !Geometry = Polygon
1 !Building Type = Solid
10 !Height [m]
0 !Base Height (Zfo) [m]
175 !Centroid X [m]
75 !Centroid Y [m]
2 !Number of Polygons
!Start Polygon 1
5 !Number of Nodes
!X [m]   Y [m]
150 50
200 50
200 100
150 100
150 50
!End Polygon 1
!Start Polygon 2
5 !Number of Nodes
!X [m]   Y [m]
165 65
185 65
185 85
165 85
165 65
!End Polygon 2
!End Building 3
!Start Building 4
4 !Group ID
2 !Geometry = Elliptical
2 !Building Type = Canopy
4.03 !Attenuation Coefficient
4 !Height [m]
2 !Base Height (Zfo) [m]
230 !Centroid X [m]
150 !Centroid Y [m]
225 !Xfo [m]
150 !Yfo [m]
10 !Length [m]
10 !Width [m]
0 !Rotation [deg]
!End Building 4
!Start Building 5
5 !Group ID
4 !Geometry = Rectangular Stadium
1 !Building Type = Solid
10 !Base Wall Thickness [m]
0 !Roof Flag
8 !Height [m]
0 !Base Height (Zfo) [m]
70 !Centroid X [m]
150 !Centroid Y [m]
40 !Xfo [m]
150 !Yfo [m]
60 !Length [m]
40 !Width [m]
0 !Rotation [deg]
!End Building 5
)";

inline std::string const small_quic_weather = R"(!QUIC 6.26
0 !Met input flag (0=QUIC,1=WRF,2=ITT MM5,3=HOTMAC)
1 !Number of measuring sites
1 !Maximum size of data points profiles
mast !Site Name
!File name
sensor1.inp
)";

inline std::string const small_quic_sensor = R"(mast !Site Name
0 !Upper level flag (1 = use this profile for upper level winds)
50 !Upper level height (meters)
1 !Site Coordinate Flag (1=QUIC, 2=UTM, 3=Lat/Lon)
1 !X coordinate (meters)
1 !Y coordinate (meters)
1488794400 !Begining of time step in Unix Epoch time (integer seconds since 1970/1/1 00:00:00)
1 !site boundary layer flag (1 = log, 2 = exp, 3 = urban canopy, 4 = discrete data points)
0.1 !site zo
0. ! 1/L
!Height (m),Speed	(m/s), Direction (deg relative to true N)
10.	6.	300
1488796200 !Begining of time step in Unix Epoch time (integer seconds since 1970/1/1 00:00:00)
1 !site boundary layer flag (1 = log, 2 = exp, 3 = urban canopy, 4 = discrete data points)
0.1 !site zo
0. ! 1/L
!Height (m),Speed	(m/s), Direction (deg relative to true N)
10.	4.	20
)";

}  // namespace karman::test
